import { isRecord } from '../../validate/shape.js'
import type { Call } from '../conversation.js'
import { noSuchService } from './errors.js'
import { matchForm } from './forms.js'
import type { Guide } from './guide.js'
import { readChanges, reportWrite } from './outcome.js'
import { findService, listServices, type Service } from './services.js'
import { propose, type Reply, type Steps } from './steps.js'
import { followUps, plain } from './texts.js'

const offerCounts = (guide: Guide, { label, desired }: Service): string[] =>
  [desired + 1, desired + 2, ...(desired > 1 ? [desired - 1] : [])]
    .map((count) => guide.button('scaleTo', { service: label, count }))

/** Scale a service: some buttons, each one task more. */
export function * askWhatToScale (guide: Guide): Steps {
  const services = (yield * listServices()).filter(({ isScalable, desired }) => isScalable && desired > 0)
  if (services.length === 0) return { text: guide.say('There are no services to scale.', 'Es gibt keinen Service zu skalieren.') }
  const [first] = services.toSorted((a, b) => Number(b.health === 'healthy') - Number(a.health === 'healthy'))
  const others = services.filter((service) => service !== first && service.health === 'healthy')
  const offered = [first, ...others].flatMap((service) => service ? [service] : []).slice(0, 3)
  const lines = offered.map(({ name, cluster, desired }) => guide.say(
    `- **${plain(name)}** in ${plain(cluster)} runs ${desired} tasks`,
    `- **${plain(name)}** in ${plain(cluster)}: ${desired} Tasks`))
  return {
    text: `${guide.say('Nothing runs before you approve it.', 'Nichts läuft, bevor du es freigibst.')}\n\n${lines.join('\n')}`,
    next: offered.map(({ label, desired }) => guide.button('scaleTo', { service: label, count: desired + 1 }))
  }
}

/** A number of tasks, or the form of the button: nothing else can be read. */
const readCount = (changes: string): number | undefined => {
  const form = Object.values(followUps.scaleTo).map((one) => matchForm(changes, one)?.count).find(Boolean)
  return /^\d{1,4}$/.test(changes.trim()) ? Number(changes) : form === undefined ? undefined : Number(form)
}

const report = ({ say }: Guide, service: Service, call: Call): string => {
  const done = isRecord(call.data) && !call.isError ? call.data : {}
  const { previous_count: before, desired_count: count, running_count: running } = done
  if ([before, count, running].some((one) => typeof one !== 'number')) return reportWrite(say, call)
  return say(
    `Done: **${plain(service.name)}** goes from ${Number(before)} to ${Number(count)} tasks; ${Number(running)} run now.`,
    `Erledigt: **${plain(service.name)}** geht von ${Number(before)} auf ${Number(count)} Tasks; jetzt laufen ${Number(running)}.`)
}

/** Proposes a count until it is decided; a person who asks for changes gives another count. */
export function * proposeCount (guide: Guide, service: Service, wanted: number, intro = ''): Steps {
  const { say } = guide
  let count = wanted
  for (;;) {
    const plan = say(`scale **${plain(service.name)}** in ${plain(service.cluster)} to ${count} tasks`,
      `**${plain(service.name)}** in ${plain(service.cluster)} auf ${count} Tasks skalieren`)
    const call = yield * propose('scaleService', { service: service.id, desired_count: count }, plan, intro)
    const changes = readChanges(call)
    if (changes === undefined) {
      const next = [guide.button('health'), guide.button('errorsOf', { service: service.label })]
      return { text: report(guide, service, call), next } satisfies Reply
    }
    const other = readCount(changes)
    if (other === undefined) {
      return {
        text: say(
          'Nothing was changed. Without a model I can only take a number of tasks as a change, such as 3. Choose one:',
          'Nichts wurde geändert. Ohne Modell verstehe ich als Änderung nur eine Zahl von Tasks, etwa 3. Wähle eine:'),
        next: offerCounts(guide, service)
      }
    }
    count = other
  }
}

/** Scale web to 4 */
export function * scale (guide: Guide): Steps {
  const services = yield * listServices()
  const service = findService(services, guide.slots.service)
  if (!service) return noSuchService(guide, services, 'logOf')
  const count = Number(guide.slots.count)
  if (count === service.desired) {
    return {
      text: guide.say(`**${plain(service.name)}** already runs ${count} tasks, so there is nothing to change.`,
        `**${plain(service.name)}** ist schon auf ${count} Tasks gesetzt, es gibt nichts zu ändern.`),
      next: offerCounts(guide, service)
    }
  }
  return yield * proposeCount(guide, service, count)
}

/** The same with an explanation: what a card does when the service changes while it waits. */
export function * showDrift (guide: Guide): Steps {
  const services = (yield * listServices()).filter(({ isScalable, desired }) => isScalable && desired > 0)
  const service = services.find(({ health }) => health === 'healthy') ?? services[0]
  if (!service) return { text: guide.say('There are no services to scale.', 'Es gibt keinen Service zu skalieren.') }
  const link = `[${plain(service.name)}](/services/${encodeURIComponent(service.id)})`
  const intro = guide.say(
    `The card below holds for the state that it shows. Open ${link} in a new tab, scale it to another number there, and ` +
    'approve both cards, that one first: this one shows what has changed and asks again.',
    `Die Karte hier gilt nur für den Zustand, den sie zeigt. Öffne ${link} in einem neuen Tab, skaliere den Service dort ` +
    'auf eine andere Zahl und gib beide Karten frei, jene zuerst: Diese zeigt, was sich geändert hat, und fragt noch einmal.')
  return yield * proposeCount(guide, service, service.desired + 2, intro)
}
