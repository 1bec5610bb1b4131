import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const canRun = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The system's browser, or the one that CHROMIUM names; undefined = there is none. */
export const chromiumFile = [process.env.CHROMIUM, ...(process.env.PATH ?? '').split(delimiter)
  .flatMap((folder) => names.map((name) => join(folder, name)))]
  .find((file) => file !== undefined && canRun(file))
