import type { en } from '../en'
import type { Texts } from '../texts'
import { approvals } from './approvals'
import { inbox } from './inbox'
import { shell } from './shell'

/** All texts in German; loaded when they are wanted. */
export const de: Texts<typeof en> = { ...shell, ...approvals, ...inbox }
