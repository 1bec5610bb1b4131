import type { Texts } from '../texts'
import type { decisions as english } from '../en/decisions'

export const decisions: Texts<typeof english> = {
  'question.conversation': 'Unterhaltung',
  'question.untitled': 'Ohne Titel',
  'question.onlySees': 'Nur {name} sieht sie',
  'question.needs': 'Braucht',
  'question.waitsFor': 'Wartet auf',
  'question.mayNow': 'Freigeben können jetzt: {approvers}.',
  'question.facts': 'Wer angefragt hat und wer entscheidet',
  'question.askedBy': 'Angefragt von',
  'question.decidedBy': 'Entschieden von',
  'question.unseen': 'Nicht gefunden',
  'question.ofAnother': 'Dieser Link wurde einer anderen Person geschickt; sie erfährt, dass du ihn geöffnet ' +
    'hast. Wohin er führt, darfst du nicht sehen.',
  'question.noSuch': 'Diese Anfrage gibt es nicht, oder du darfst sie nicht sehen: Das darf nur, wer angefragt ' +
    'hat oder freigeben darf. {approvals}',
  'question.toApprovals': 'Was auf dich wartet, steht unter Freigaben.',
  'question.result': 'Ergebnis',
  'question.person': 'Eine Person',
  'question.thisOne': '{summary} (diese hier)',
  'question.thread': 'Verlauf',
  'question.threadTitle': 'Was dazu angefragt wurde, das Älteste zuerst',
  'plan.title': 'Plan aus Schritten',
  'plan.alone': 'Das ist keine von mehreren wartenden Änderungen: Darüber wird einzeln entschieden.',
  'plan.seeApproval': 'Zu dieser Freigabe',
  'plan.approval': 'Freigabe',
  'plan.notRun': 'nicht ausgeführt',
  'plan.waitsTurn': 'wartet, bis er an der Reihe ist',
  'plan.pending': 'Auch andere müssen ihn freigeben. Nichts ist gelaufen.',
  'plan.running': 'Er läuft Schritt für Schritt: {ended} von {count} sind beendet.',
  'plan.succeeded': 'Alle {count} Schritte waren erfolgreich.',
  'plan.rejected': 'Er wurde abgelehnt: Nichts wurde ausgeführt.',
  'plan.unknown': '{first} Sieh dir das Ziel an, bevor du etwas wiederholst. Was danach kam, lief nicht.',
  'plan.unknownStep': 'Schritt {step} wurde gesendet, und Steward weiß nicht, was daraus geworden ist.',
  'plan.stopped': '{first} Was danach kam, lief nicht.',
  'plan.stoppedAt': 'Der Plan endete bei Schritt {step} von {count}.',
  'plan.seeStep': 'Zur Freigabe',
  'plan.undo': 'Zum Zurücknehmen:',
  'plan.of': 'Plan aus {count} Schritten',
  'plan.toConversation': 'Zur Unterhaltung',
  'plan.cut': 'Ein Schritt ist zu lang, um hier ganz gezeigt zu werden: Entscheide jeden Schritt einzeln.',
  'plan.approveAll': 'Alle {count} Schritte freigeben',
  'plan.rejectAll': 'Alle ablehnen',
  'plan.stepNumber': 'Schritt {number}:',
  'plan.never': 'Steward kann diesen Schritt nicht zurücknehmen.',
  'plan.nameStep': 'Ich gebe Schritt {step} mit hohem Risiko frei',
  'plan.forbidden': '{why} Mit diesem Schritt kann der Plan nicht freigegeben werden.',
  'plan.order': 'Sie laufen in dieser Reihenfolge, jeder auf dem, was die vorigen hinterlassen. Der erste, der ' +
    'nicht gelingt oder einen anderen Stand vorfindet als hier gezeigt, beendet den Plan.',
  'plan.asOne': '{count} Änderungen, über die zusammen entschieden wird',
  'plan.moved': 'Der Plan hat sich geändert, seit du ihn gesehen hast. Nichts wurde entschieden. Entscheide über ' +
    'den jetzigen Plan.',
  'question.changes': '{name} hat Änderungen verlangt:',
  'question.rejected': '{name} hat abgelehnt:',
  'plan.missing': {
    one: 'Noch eine Person muss den ganzen Plan freigeben.',
    other: '{count} Personen müssen den ganzen Plan freigeben.'
  },
  'plan.notYours': 'Deine Freigabe würde jetzt nicht zählen.',
  'plan.leftHigh': {
    one: 'Schritt {steps} hat hohes Risiko: Gib ihn zuerst oben frei.',
    other: 'Die Schritte {steps} haben hohes Risiko: Gib jeden davon zuerst oben frei.'
  }
}
