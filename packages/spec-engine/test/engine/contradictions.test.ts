import t from '../../../../test/tap.js'
import { compile, source } from './material.js'

const contradict: [string, string][] = [
  ['A session must end after 15 minutes of inactivity.', 'A session must end after 30 minutes of inactivity.'],
  ['Sessions must expire after 15 minutes of inactivity.',
    'The session shall time out after 30 minutes of inactivity.'],
  ['A session must end after 0.5 h of inactivity.', 'A session must end after 45 minutes of inactivity.'],
  ['A backup must be kept for 2 weeks.', 'A backup must be kept for 30 days.'],
  ['A file must not exceed 1 GB.', 'A file must not exceed 500 MB.'],
  ['The system must store passwords in the log.', 'The system must not store passwords in the log.'],
  ['Guests must be able to cancel an order.', 'Guests must not be able to cancel an order.'],
  ['Guests may cancel an order.', 'Guests must not cancel an order.'],
  ['The door must lock itself at night.', 'The door must never lock itself at night.'],
  ['Users are allowed to export invoices.', 'Users are not allowed to export invoices.'],
  ['Eine Sitzung muss nach 15 Minuten ohne Eingabe enden.', 'Eine Sitzung muss nach 30 Minuten ohne Eingabe enden.'],
  ['Das System muss Passwörter im Protokoll speichern.', 'Das System darf keine Passwörter im Protokoll speichern.'],
  ['Gäste dürfen eine Bestellung in der App und im Laden stornieren.',
    'Gäste dürfen eine Bestellung in der App und im Laden nicht stornieren.'],
  ['La session doit expirer après 15 minutes sans activité.',
    'La session doit expirer après 30 minutes sans activité.'],
  ['Le système doit conserver les mots de passe.', 'Le système ne doit pas conserver les mots de passe.'],
  ['La sesión debe terminar tras 15 minutos sin actividad.',
    'La sesión debe terminar tras 30 minutos sin actividad.'],
  ['El sistema debe guardar las contraseñas.', 'El sistema no debe guardar las contraseñas.'],
  ['Search must answer within 2 seconds and show 20 results.',
    'Search must answer within 3 seconds and show 20 results.'],
  ['The system must use TLS 1.2.', 'The system must use TLS 1.3.'],
  ['A password must have at least 8 characters.', 'A password must have at least 12 characters.'],
  ['Records must be deleted after thirty days.', 'Records must be deleted after 60 days.'],
  ['If the payment fails, the order must be cancelled.', 'If the payment fails, the order must not be cancelled.'],
  ['The kiosk must print 2 receipts.', 'The kiosk must print 3 receipts.'],
  ['The response time must be below 200 ms.', 'The response time must be below 1 s.'],
  ['Die Antwortzeit muss unter 200 ms liegen.', 'Die Antwortzeit muss unter 1 Sekunde liegen.'],
  ['Eine Sitzung muss nach 15 Minuten enden.', 'A session must end after 30 minutes.'],
  ['Eine Sitzung muss nach 15 Minuten Inaktivität ablaufen.', 'A session must expire after 30 minutes of inactivity.'],
  ['La session doit expirer après 15 minutes.', 'La sesión debe terminar tras 30 minutos.'],
  ['Die Rechnungen müssen 10 Jahre gespeichert werden.', 'Invoices must be kept for 6 years.'],
  ['The server must keep 3 copies.', 'The server must keep 5 copies.'],
  ['Das Passwort muss mindestens 8 Zeichen haben.', 'A password must have at least 12 characters.'],
  ['The system must be available 99.9 % of the time.', 'The system must be available 99 % of the time.']
]

const agree: [string, string][] = [
  ['A session must end after 0.5 h of inactivity.', 'A session must end after 30 minutes of inactivity.'],
  ['A session must end after half an hour of inactivity.', 'A session must end after 30 minutes of inactivity.'],
  ['A backup must be kept for 2 weeks.', 'A backup must be kept for 14 days.'],
  ['A file must not exceed 1 GB.', 'A file must not exceed 1024 MB.'],
  ['A file must not exceed 1 GB.', 'A file must not exceed 1000 MB.'],
  ['The door must lock itself at night.', 'The door must not lock itself at noon.'],
  ['Eine Sitzung muss nach 0,5 Stunden ohne Eingabe enden.', 'Eine Sitzung muss nach 30 Minuten ohne Eingabe enden.'],
  ['La session doit expirer après 0,5 heure sans activité.',
    'La session doit expirer après 30 minutes sans activité.'],
  ['La sesión debe terminar tras 2 horas sin actividad.', 'La sesión debe terminar tras 120 minutos sin actividad.'],
  ['The web page must load within 2 seconds.', 'The report page must load within 10 seconds.'],
  ['Door 3 must open at night.', 'Door 4 must open at night.'],
  ['Door 3 closes within 15 minutes.', 'Door 4 closes within 30 minutes.'],
  ['Door 3 must close within 15 minutes.', 'Door 4 must close within 30 minutes.'],
  ['Door 3 automatically closes within 15 minutes.', 'Door 4 automatically closes within 30 minutes.'],
  ['The lamp of door 3 must blink for 5 seconds.', 'The lamp of door 4 must blink for 9 seconds.'],
  ['The guard must open door 3 quickly.', 'The guard must open door 4 quickly.'],
  ['Tür 3 schließt innerhalb von 15 Minuten.', 'Tür 4 schließt innerhalb von 30 Minuten.'],
  ['La porte 3 ferme en 15 minutes.', 'La porte 4 ferme en 30 minutes.'],
  ['La puerta 3 cierra en 15 minutos.', 'La puerta 4 cierra en 30 minutos.'],
  ['Eine Sitzung muss nach 30 Minuten enden.', 'A session must end after half an hour.'],
  ['Eine Sitzung muss nach 30 Minuten enden.', 'A backup must end after 15 minutes.'],
  ['Tür 3 muss nachts öffnen.', 'Tür 4 muss nachts öffnen.'],
  ['Tier 1 tickets must be answered within 4 hours.', 'Tier 2 tickets must be answered within 8 hours.'],
  ['Gold customers must get a refund within 2 days.', 'Silver customers must get a refund within 5 days.'],
  ['A password must have at least 8 characters.', 'A password must have at most 64 characters.'],
  ['If the payment fails, the order must be cancelled.', 'If the payment succeeds, the order must not be cancelled.'],
  ['If the user is an admin, the system must show the report.',
    'If the user is not an admin, the system must not show the report.'],
  ['The system must not delete records.', 'The system must not delete records.'],
  ['The response time must be below 1,000 ms.', 'The response time must be below 1 s.'],
  ['The price must be 5 EUR.', 'The price must be €5.']
]

const questions = (one: string, other: string) => compile([source(one, { label: 'a.md' }),
  source(other, { label: 'b.md', seq: 2 })]).open_questions.filter(({ about }) => about === 'contradiction')

t.test('other numbers in any unit, and must against must not, are asked about across inputs', async (t) => {
  for (const [one, other] of contradict) {
    t.match(questions(one, other), [{ blocking: true, options: [one, other] }], `${one} ${other}`)
  }
})

t.test('the same size in another unit, other things and other conditions are no contradiction', async (t) => {
  for (const [one, other] of agree) t.same(questions(one, other), [], `${one} ${other}`)
})
