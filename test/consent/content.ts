import type { ConsentCase } from './case.js'
import { deskCases } from './content-desk.js'
import { generatingCases, moreGeneratingCases } from './content-generating.js'
import { publishingCases } from './content-publishing.js'
import { textCases } from './content-texts.js'
import { moreVersionCases, versionCases } from './content-versions.js'

/** Every write of the area, with what its plan stands on; in an app whose worker publishes nothing. */
export const contentCases: ConsentCase[] = [
  ...textCases, ...versionCases, ...deskCases, ...publishingCases, ...generatingCases
]

/** Other ways in which some of them are used. */
export const moreContentCases: ConsentCase[] = [...moreVersionCases, ...moreGeneratingCases]
