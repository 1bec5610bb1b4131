import type { Texts } from '../texts'
import type { riskReasons as english } from '../en/risk-reasons'

export const riskReasons: Texts<typeof english> = {
  'risk.own_records': 'Es ändert nur, was Steward selbst speichert, und nichts außerhalb.',
  'risk.only_adds': 'Es kommt nur etwas hinzu: Was da ist, bleibt, wie es ist.',
  'risk.raises_budget': 'Für das Modell darf mehr ausgegeben werden.',
  'risk.archives': 'Es wird außer Gebrauch genommen; sein Inhalt bleibt erhalten.',
  'risk.changes_capacity': 'Mehr Tasks kosten mehr; weniger tragen weniger Last.',
  'risk.stops_unfinished': 'Was noch nicht beendet ist, kommt zu keinem Ergebnis.',
  'risk.effect_unknown': 'Ein anderer Server führt es aus: Steward kann nicht vorher sehen, was geschieht.',
  'risk.allows_publishing': 'Was freigegeben ist, darf veröffentlicht werden.',
  'risk.spends_on_model': 'Die Aufrufe des Modells kosten Geld.',
  'risk.changes_settings': 'Was später kommt, folgt anderen Einstellungen.',
  'risk.deploys_by_itself': 'Jeder Push wird von da an ausgeliefert, ohne dass jemand gefragt wird.',
  'risk.changes_standing': 'Andere verlassen sich auf den Zustand, den es bekommt.',
  'risk.readers_see': 'Alle, die das Repository lesen, sehen es und werden benachrichtigt.',
  'risk.anyone_sees': 'Das Repository ist öffentlich: Alle können es lesen, und wer ihm folgt, wird benachrichtigt.',
  'risk.replaces_running': 'Es ersetzt, was jetzt läuft; was nicht startet, kann den Betrieb unterbrechen.',
  'risk.runs_code': 'Steward kann nicht vorher sehen, was der ausgeführte Code tut.',
  'risk.stops_service': 'Es läuft kein Task mehr: Der Dienst antwortet nicht mehr.',
  'risk.changes_autoscaling': 'Es ändert, was die automatische Skalierung von nun an darf.',
  'risk.interrupts_deployment': 'Eine begonnene Auslieferung muss vielleicht zurückgenommen werden.',
  'risk.publishes': 'Menschen außerhalb lesen es, und was gelesen wurde, lässt sich nicht zurückholen.',
  'risk.unpublishes': 'Links darauf führen danach ins Leere.',
  'risk.sends_twice': 'Ein Ziel, das es ohne Antwort angenommen hat, kann es zweimal bekommen.',
  'risk.deletes': 'Es ist für alle weg; 30 Tage lang lässt es sich zurückholen.',
  'risk.withdraws_standard': 'Specs werden nicht mehr daran geprüft.',
  'risk.changes_approval': 'Es ändert, was Inhalte brauchen, bevor sie veröffentlicht werden.',
  'risk.changes_targets': 'Es ändert, wo Inhalte veröffentlicht werden.'
}
