/** Error codes of jobs on changes, besides those of every job. */
export const changeCodes = {
  /** The change broke the site, and the previous version was restored. */
  rolledBack: 'rolled_back',
  /** The change broke the site, and the previous version could not be restored. */
  notRolledBack: 'not_rolled_back',
  licence: 'licence_required',
  noRoom: 'no_room',
  /** Another change by WordPress is running. */
  busy: 'wordpress_busy',
  /** The site forbids changes: `DISALLOW_FILE_MODS`, or read-only files. */
  forbidden: 'changes_forbidden',
  nothingToDo: 'nothing_to_do',
  download: 'download_failed',
  /** WordPress refused the change, and the site is unchanged. */
  refused: 'refused_by_wordpress',
  interrupted: 'interrupted',
  /** The rollback copy of the requested version no longer exists. */
  copyGone: 'copy_gone',
} as const;
