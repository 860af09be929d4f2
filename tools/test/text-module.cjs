/** Jest imports what runs on a host as text, as the bundler does. */
module.exports = {
  process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }),
};
