/** @returns the folder as files are named under it: no slash at either end; empty = the whole repository */
const bare = (folder: string): string => folder.split('/').filter((part) => part !== '' && part !== '.').join('/')

/**
 * @param files null = not known, so the folder may be among them
 * @returns whether one of the files lies in the folder
 */
export const isInFolder = (folder: string, files: string[] | null): boolean => {
  const path = bare(folder)
  return path === '' || files === null || files.some((file) => file.startsWith(`${path}/`))
}
