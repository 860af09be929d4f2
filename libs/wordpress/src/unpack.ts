import archivePaths from './php/archive-paths.php';
import archive from './php/archive.php';
import files from './php/files.php';
import readArchive from './php/read-archive.php';
import room from './php/room.php';
import site from './php/site.php';
import staging from './php/staging.php';
import operationPhp from './php/operation.php';

/** Reads an archive on its host and stages its files. */
export const unpackParts = [operationPhp, files, archive, archivePaths, readArchive, room, site, staging] as const;
