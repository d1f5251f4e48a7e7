import { View } from "../view/View";

export function App() {
  return <View />;
}
