import { strToU8, zipSync, type Zippable } from 'fflate'

import type { ExportFile } from 'steward-spec-engine/export'

/** The oldest time that a zip can hold; a fixed time keeps the bytes of an export stable. */
const mtime = new Date(1980, 0, 1)

export const zipFiles = (files: readonly ExportFile[]): Uint8Array => {
  const entries: Zippable = Object.fromEntries(files.map(({ path, content }) => [path, [strToU8(content), { mtime }]]))
  return zipSync(entries)
}
