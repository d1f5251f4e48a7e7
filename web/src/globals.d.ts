// Names of the scenes that have a picture in public/gallery (vite.config.ts).
declare const __PICTURES__: string[];
