import { approvals } from './approvals'
import { parts } from './parts'
import { riskReasons } from './risk-reasons'
import { shell } from './shell'
import { states } from './states'

/** With what the page starts: it is there before anything is drawn. */
export const first = { ...shell, ...approvals, ...parts, ...riskReasons, ...states }

/** All other texts in English, by the part that the pages load with their scripts. */
export const en = {
  inbox: async () => (await import('./inbox')).inbox,
  settings: async () => (await import('./settings')).settings,
  channels: async () => (await import('./channels')).channels,
  identity: async () => (await import('./identity')).identity,
  policies: async () => (await import('./policies')).policies,
  automation: async () => (await import('./automation')).automation,
  access: async () => (await import('./access')).access,
  decisions: async () => (await import('./decisions')).decisions,
  content: async () => (await import('./content')).content,
  specs: async () => (await import('./specs')).specs,
  delivery: async () => (await import('./delivery')).delivery,
  cloud: async () => (await import('./cloud')).cloud,
  home: async () => (await import('./home')).home,
  model: async () => (await import('./model')).model,
  chat: async () => (await import('./chat')).chat
}
