import { createHmac, createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../../app.js'

type Headers = Record<string, string>

/** Posts bytes as another product does. */
export const post = async (app: App, trigger: string, body: string, headers: Headers = {}) => {
  const { statusCode, ...answer } = await app.inject({
    method: 'POST',
    url: `/api/v1/agent/triggers/${trigger}/events`,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers }
  })
  const { status, code, errors } = answer.json()
  return { status: statusCode, is: status === statusCode ? code : status, pointer: errors?.[0]?.pointer }
}

const seconds = (): string => String(Math.floor(Date.now() / 1_000))

/** As the libraries of Standard Webhooks sign. */
export const standard = (secret: string, body: string, { id = `msg_${randomUUID()}`, at = seconds() } = {}):
Headers => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,c2hvcnQ= v1,${signature}` }
}

export const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

export const basic = (secret: string): Headers =>
  ({ authorization: `Basic ${Buffer.from(`steward:${secret}`).toString('base64')}` })

export const grafana = (secret: string, body: string, at: string | null = seconds()): Headers => ({
  'x-grafana-alerting-signature':
    createHmac('sha256', secret).update(at === null ? body : `${at}:${body}`).digest('hex'),
  ...(at !== null && { 'x-grafana-alerting-timestamp': at })
})

export const pagerDuty = (secret: string, body: string): Headers => ({
  'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${createHmac('sha256', secret).update(body).digest('hex')}`
})

/** What signs as SNS does: a key, and the certificate that its host would serve. */
export const makeSns = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const folder = mkdtempSync(join(tmpdir(), 'sns-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  execFileSync('openssl', ['req', '-x509', '-key', key, '-subj', '/CN=sns.amazonaws.com', '-days', '2', '-out',
    certificate], { stdio: 'ignore' })
  const pem = readFileSync(certificate)
  rmSync(folder, { recursive: true })
  return { privateKey, pem }
}

export type Sns = ReturnType<typeof makeSns>

export const topic = 'arn:aws:sns:us-west-2:123456789012:MyTopic'

/** @returns a signed message, in the form of the developer guide */
export const snsMessage = ({ privateKey }: Sns, fields: Record<string, string>): string => {
  const message: Record<string, string> = {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topic,
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem',
    ...fields
  }
  const names = message.Type === 'Notification'
    ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.flatMap((name) => message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]).join('')
  const algorithm = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  const Signature = createSign(algorithm).update(text).sign(privateKey, 'base64')
  return JSON.stringify({ Signature, ...message })
}

/** Has the application reach this SNS instead of Amazon's. @returns the addresses that were visited */
export const serveSns = (app: App, { pem }: Sns): string[] => {
  const visited: string[] = []
  app.outbound.fetch = async ({ url }) => {
    visited.push(url)
    return { status: 200, headers: {}, body: url.endsWith('.pem') ? pem : Buffer.from('<Confirmed/>'), url }
  }
  return visited
}
