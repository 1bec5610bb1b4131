import type { Language } from '../texts'
import { approvals } from './approvals'
import { shell } from './shell'

export const de: Language = {
  first: { ...shell, ...approvals },
  parts: {
    inbox: async () => (await import('./inbox')).inbox
  }
}
