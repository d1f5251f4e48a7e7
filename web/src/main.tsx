import { render } from "preact";
import { start } from "./core/session";
import { App } from "./ui/App";
import "./ui/style.css";

render(<App />, document.getElementById("app")!);
start(window.location);
