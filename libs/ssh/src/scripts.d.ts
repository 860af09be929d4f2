/** Scripts for hosts are files of their own language, bundled as text. */
declare module '*.sh' {
  const script: string;
  export default script;
}
declare module '*.php' {
  const script: string;
  export default script;
}
