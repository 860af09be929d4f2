/** Some of the files that a backup or a restore left out. */
export const Paths = ({ paths }: { paths: readonly string[] }) => (
  <ul>
    {paths.map((path) => (
      <li key={path}>
        <code>{path}</code>
      </li>
    ))}
  </ul>
);
