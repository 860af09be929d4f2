/** What runs on a host is a file of its own language, bundled as text. */
declare module '*.sh' {
  const script: string;
  export default script;
}
declare module '*.php' {
  const script: string;
  export default script;
}
