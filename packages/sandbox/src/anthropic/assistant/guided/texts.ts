import type { Text } from './forms.js'

/** Text from elsewhere: it must not become a link, an image or markup. */
export const plain = (text: string) => text.replace(/[[\]<>*`|]/g, '\\$&')

export const text = (value: unknown): string => typeof value === 'string' ? value : ''

/** What begins a conversation: the buttons of a new chat, in their order. */
export const starts = {
  health: { en: 'Is everything healthy?', de: 'Läuft alles?' },
  costs: { en: 'What did we spend this month?', de: 'Was haben wir diesen Monat ausgegeben?' },
  errors: { en: 'Show the errors of a service', de: 'Zeig die Fehler eines Service' },
  scale: { en: 'Scale a service', de: 'Skaliere einen Service' },
  drift: { en: 'Show how an approval notices drift', de: 'Zeig, wie eine Freigabe Drift bemerkt' },
  build: { en: 'Why did the last build fail?', de: 'Warum ist der letzte Build fehlgeschlagen?' },
  spec: { en: 'Write a spec from a text', de: 'Schreib eine Spec aus einem Text' },
  notes: { en: 'Write release notes', de: 'Schreib Release Notes' }
} satisfies Record<string, Text>

/** What continues one: the buttons below an answer. */
export const followUps = {
  clusters: { en: 'Which clusters do I have?', de: 'Welche Cluster habe ich?' },
  why: { en: 'Why is {service} unhealthy?', de: 'Warum ist {service} nicht gesund?' },
  errorsOf: { en: 'Show the errors of {service}', de: 'Zeig die Fehler von {service}' },
  logOf: { en: 'Show the log of {service}', de: 'Zeig das Log von {service}' },
  scaleTo: { en: 'Scale {service} to {count}', de: 'Skaliere {service} auf {count}' },
  costsRose: { en: 'Why did costs change?', de: 'Warum haben sich die Kosten geändert?' },
  lastMonth: { en: 'What did we spend last month?', de: 'Was haben wir letzten Monat ausgegeben?' },
  byRegion: { en: 'Show costs by region', de: 'Zeig die Kosten nach Region' },
  notesOf: { en: 'Write release notes of {repository}', de: 'Schreib Release Notes von {repository}' },
  openPulls: { en: 'Which pull requests are open?', de: 'Welche Pull Requests sind offen?' }
} satisfies Record<string, Text>
