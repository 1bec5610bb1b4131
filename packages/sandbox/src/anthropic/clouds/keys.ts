import { randomBytes } from 'node:crypto'

interface AwsKey { secretAccessKey: string, sessionToken?: string, expired?: true }

const newKey = (prefix: string) => prefix + randomBytes(20).toString('hex')

/** Who may ask for models through the clouds, and with what. */
export class CloudKeys {
  /** A key of Bedrock, sent as it is. */
  readonly bedrock = newKey('bedrock-api-key-')
  /** What a workload shows Google's token server. */
  readonly subject = newKey('subject-')
  /** A pair of keys that does not expire. */
  readonly aws = { accessKeyId: 'AKIASANDBOXMODEL0001', secretAccessKey: newKey('') }
  /** Models that the account has no access to, by their plain names. */
  readonly disabled = new Set<string>()
  #aws = new Map<string, AwsKey>([[this.aws.accessKeyId, this.aws]])
  #tokens = new Map<string, { expired?: true }>()

  awsKey (id: string): AwsKey | undefined {
    return this.#aws.get(id)
  }

  /** @returns credentials as a container's endpoint gives them */
  issueAws () {
    const [AccessKeyId, SecretAccessKey, Token] = [newKey('ASIA').slice(0, 20).toUpperCase(), newKey(''), newKey('')]
    this.#aws.set(AccessKeyId, { secretAccessKey: SecretAccessKey, sessionToken: Token })
    return { AccessKeyId, SecretAccessKey, Token, Expiration: new Date(Date.now() + 3_600_000).toISOString() }
  }

  issueToken (): string {
    const token = newKey('ya29.')
    this.#tokens.set(token, {})
    return token
  }

  isValid (token: string): boolean {
    const known = this.#tokens.get(token)
    return known !== undefined && !known.expired
  }

  /** All that was issued ends before its time. */
  expire (): void {
    for (const known of this.#tokens.values()) known.expired = true
    for (const known of this.#aws.values()) if (known.sessionToken) known.expired = true
  }
}
