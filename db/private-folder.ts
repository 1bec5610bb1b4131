import { chmodSync, mkdirSync, statSync } from 'node:fs'

const othersBits = 0o077

const isOpen = (folder: string): boolean => (statSync(folder).mode & othersBits) !== 0

/**
 * Makes a folder that only the user of this process enters, whatever modes the files in it have: PGlite asks for 0666.
 * One that is there is closed. On Windows modes say nothing, and the folder's own rights count.
 * @throws Error with one line where it stays open to others
 */
export const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32' || !isOpen(folder)) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    // Another user's folder, or a file system without modes: what counts is how it is afterwards.
  }
  if (isOpen(folder)) throw new Error(`${folder} is open to other users; make it 0700, or set another DATA_DIR`)
}
