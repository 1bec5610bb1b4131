import type { Texts } from '../texts'
import type { home as english } from '../en/home'

export const home: Texts<typeof english> = {
  'home.words': 'Was jetzt ansteht.',
  'home.approvals': 'Freigaben',
  'home.approvals.none': 'Nichts wartet auf dich.',
  'home.services': 'Services mit Problemen',
  'home.services.none': 'Alle Services laufen einwandfrei.',
  'home.partial': 'Einige Konten oder Regionen haben nicht geantwortet: Vielleicht gibt es welche.',
  'home.builds': 'Gescheiterte Builds',
  'home.builds.none': 'Bei keiner App ist der letzte Build gescheitert.',
  'home.build': 'Build #{number} ist gescheitert',
  'home.reports': 'Berichte',
  'home.reports.none': 'Keine offenen Berichte.',
  'home.all': 'Alle {count} zeigen'
}
