import { readItems } from '../conversation.js'
import type { Guide, FollowUp } from './guide.js'
import { findService, listServices, type Service } from './services.js'
import { read, type Reply, type Steps } from './steps.js'
import { plain, text } from './texts.js'

/** CloudWatch finds the lines: any of these words. */
const errorPattern = '?ERROR ?Error ?error ?FATAL ?Exception ?panic'
const mostLines = 15

const fence = (lines: Record<string, unknown>[]): string => {
  const shown = lines.slice(-mostLines).map(({ timestamp, message }) => `${text(timestamp)} ${text(message).trimEnd()}`)
  return `\`\`\`text\n${shown.join('\n').replaceAll('```', "'''")}\n\`\`\``
}

/** Services to choose from, with a button for each. */
const chooseFrom = (guide: Guide, services: readonly Service[], form: FollowUp): string[] =>
  services.slice(0, 3).map(({ label }) => guide.button(form, { service: label }))

/** A name that no service has: the names that there are, never one that is only like it. */
export const noSuchService = (guide: Guide, services: readonly Service[], form: FollowUp): Reply => ({
  text: guide.say(
    `There is no service called “${plain(guide.slots.service ?? '')}”. There are: `,
    `Es gibt keinen Service namens „${plain(guide.slots.service ?? '')}“. Es gibt: `) +
    `${services.slice(0, 20).map(({ label }) => plain(label)).join(', ')}.`,
  next: chooseFrom(guide, services, form)
})

/** @returns the newest errors of its log, in words */
export function * readErrors ({ say }: Guide, service: Service): Steps<string> {
  const name = `**${plain(service.name)}** in ${plain(service.cluster)}`
  const { data } = yield * read('getServiceLogs', { service: service.id, filter: errorPattern, since: '1d' })
  const lines = readItems(data)
  if (lines.length === 0) {
    return say(`The log of ${name} has no errors in the last 24 hours.`,
      `Das Log von ${name} enthält aus den letzten 24 Stunden keine Fehler.`)
  }
  const heading = lines.length > mostLines
    ? say(`The newest ${mostLines} errors of ${name}:`, `Die neuesten ${mostLines} Fehler von ${name}:`)
    : say(`Errors of ${name} in the last 24 hours:`, `Fehler von ${name} in den letzten 24 Stunden:`)
  return `${heading}\n\n${fence(lines)}`
}

/** Show the errors of a service: which one is chosen by a button. */
export function * askWhoseErrors (guide: Guide): Steps {
  const services = yield * listServices()
  return {
    text: guide.say('Which service? Those that need attention come first.',
      'Von welchem Service? Zuerst stehen die, die Aufmerksamkeit brauchen.'),
    next: chooseFrom(guide, services, 'errorsOf')
  }
}

/** Show the errors of web */
export function * showErrors (guide: Guide): Steps {
  const services = yield * listServices()
  const service = findService(services, guide.slots.service)
  if (!service) return noSuchService(guide, services, 'errorsOf')
  return {
    text: yield * readErrors(guide, service),
    next: [guide.button('logOf', { service: service.label }), guide.button('health')]
  }
}

/** Show the log of web */
export function * showLog (guide: Guide): Steps {
  const { say } = guide
  const services = yield * listServices()
  const service = findService(services, guide.slots.service)
  if (!service) return noSuchService(guide, services, 'logOf')
  const lines = readItems((yield * read('getServiceLogs', { service: service.id, since: '1d' })).data)
  const name = `**${plain(service.name)}** in ${plain(service.cluster)}`
  return {
    text: lines.length === 0
      ? say(`The log of ${name} has no lines in the last 24 hours.`,
        `Das Log von ${name} enthält aus den letzten 24 Stunden keine Zeilen.`)
      : `${say(`The newest lines of ${name}:`, `Die neuesten Zeilen von ${name}:`)}\n\n${fence(lines)}`,
    next: [guide.button('errorsOf', { service: service.label }), guide.button('health')]
  }
}
