import { approvals } from './approvals'
import { inbox } from './inbox'
import { shell } from './shell'

/** All texts in English, with which the page starts; the other languages have the same keys. */
export const en = { ...shell, ...approvals, ...inbox } as const
