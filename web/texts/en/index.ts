import { approvals } from './approvals'
import { shell } from './shell'

/** With what the page starts: it is there before anything is drawn. */
export const first = { ...shell, ...approvals }

/** All other texts in English, by the part that the pages load with their scripts. */
export const en = {
  inbox: async () => (await import('./inbox')).inbox
}
