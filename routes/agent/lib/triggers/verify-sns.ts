import { createVerify, X509Certificate } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { SnsMessage } from '../../../../schemas/agent/triggers.js'
import { EventExpired, EventUnsigned } from '../errors.js'

type Deps = Pick<FastifyInstance, 'outbound'>

/** SNS tries again for an hour at most. */
const windowMs = 3_900_000
const certificateMs = 3_600_000
const maxCertificates = 20
const maxBytes = 65_536

/** Only these names are Amazon's: whoever can name another host can sign whatever they like. */
const snsHost = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?$/

/** What SNS names its certificates. Of its host alone follows little: what else answers there may be anybody's. */
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/

const isCertificate = ({ pathname, search, hash }: URL): boolean =>
  certificatePath.test(pathname) && search === '' && hash === ''

/** The one call that an address may make here: the host would do others for whoever signs the address. */
const isConfirmation = ({ pathname, searchParams }: URL, { TopicArn, Token }: SnsMessage): boolean =>
  pathname === '/' && searchParams.get('Action') === 'ConfirmSubscription' &&
  searchParams.get('TopicArn') === TopicArn && searchParams.get('Token') === Token

/** @throws event_unsigned for an address that is not one of SNS */
const requireSnsUrl = (text: string | undefined): URL => {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  const isOwn = url?.protocol === 'https:' && url.port === '' && url.username === '' && snsHost.test(url.hostname)
  if (!url || !isOwn) throw EventUnsigned('The address in the message is not one of SNS')
  return url
}

const signedFields = (message: SnsMessage): (keyof SnsMessage)[] => message.Type === 'Notification'
  ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
  : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']

const signedText = (message: SnsMessage): string => signedFields(message)
  .flatMap((field) => message[field] === undefined || message[field] === null ? [] : `${field}\n${message[field]}\n`)
  .join('')

interface Kept { certificate: X509Certificate, until: number }

/** Reads what SNS sends. Certificates are kept for an hour: SNS replaces its own rarely. */
export class SnsVerifier {
  readonly #kept = new Map<string, Kept>()

  constructor (private readonly deps: Deps) {}

  /** @throws event_unsigned, event_expired; OutboundError when the certificate cannot be fetched */
  async verify (message: SnsMessage): Promise<void> {
    const algorithm = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' }[message.SignatureVersion]
    const url = requireSnsUrl(message.SigningCertURL)
    if (algorithm === undefined || !isCertificate(url)) throw EventUnsigned()
    // Before anything is fetched for it.
    const age = Date.now() - Date.parse(message.Timestamp)
    if (!(Math.abs(age) <= windowMs)) throw EventExpired('The message was published more than an hour ago')
    const certificate = await this.#certificate(url.href)
    const signed = createVerify(algorithm).update(signedText(message), 'utf8')
    if (!signed.verify(certificate.publicKey, message.Signature, 'base64')) throw EventUnsigned()
  }

  /** Visits the address with which a subscription is confirmed; the message was verified before. */
  async confirm (message: SnsMessage): Promise<void> {
    const url = requireSnsUrl(message.SubscribeURL)
    if (!isConfirmation(url, message)) throw EventUnsigned('The address in the message confirms no subscription to it')
    const { status } = await this.deps.outbound.fetch({ url: url.href, maxRedirects: 0, maxBytes })
    if (status >= 300) throw EventUnsigned('SNS did not confirm the subscription')
  }

  async #certificate (url: string): Promise<X509Certificate> {
    const kept = this.#kept.get(url)
    if (kept && kept.until > Date.now()) return kept.certificate
    const { status, body } = await this.deps.outbound.fetch({ url, maxRedirects: 0, maxBytes })
    const certificate = status === 200 ? readCertificate(body) : undefined
    if (!certificate) throw EventUnsigned('SNS gave no certificate that can be used')
    if (this.#kept.size >= maxCertificates) this.#kept.clear()
    this.#kept.set(url, { certificate, until: Date.now() + certificateMs })
    return certificate
  }
}

const subject = /(^|\n)CN=sns([.-][a-z0-9]+)*\.amazonaws\.com(\.cn)?(\n|$)/

/** TLS has proven whose host gave it; it must also be of SNS, and of this time. */
const readCertificate = (body: Buffer): X509Certificate | undefined => {
  try {
    const certificate = new X509Certificate(body)
    const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
    const isValid = Date.now() >= from && Date.now() <= to && subject.test(certificate.subject)
    return isValid ? certificate : undefined
  } catch {
    return undefined
  }
}
