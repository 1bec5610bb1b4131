import { fieldsOf, isObject, textIn } from '../../schemas/unknown.js'
import type { Statement } from '../../schemas/account/passkeys.js'
import { findMismatch, isSignedByKey, readAssertion, type Assertion, challengeOf } from '../passkeys/assertion.js'
import { canonicalJson, digestOf, type Entry } from './entry.js'

const members = ['credential_id', 'public_key', 'authenticator_data', 'client_data_json', 'signature'] as const

interface Read { statement: Statement, assertion: Assertion, public_key: string, algorithm: number, plan: unknown }

/** Each member is compared or checked where it is used: what is none of ours has no signature that is valid. */
const readConsent = (value: unknown): Read | undefined => {
  const { statement, algorithm, plan } = fieldsOf(value)
  const [credential_id, public_key, authenticator_data, client_data_json, signature] =
    members.map((name) => textIn(value, name))
  if (!isObject(statement) || typeof algorithm !== 'number') return undefined
  if (!credential_id || !public_key || !authenticator_data || !client_data_json || !signature) return undefined
  const assertion = { credential_id, authenticator_data, client_data_json, signature }
  // A file may hold anything here: what is read of it is compared, and nothing of it is called.
  return { statement: statement as unknown as Statement, assertion, public_key, algorithm, plan }
}

const isCut = (plan: unknown): boolean => canonicalJson(plan).includes('[cut: ')

/** A key as the record has shown it first: with its registration, or with what it signed. */
interface Known { user_id: string | null, public_key: string, registered: boolean }

/** @returns what a statement says that its entry does not; undefined = it is of this decision */
const findOther = (entry: Entry, { statement, plan }: Read): string | undefined => {
  const { purpose, workspace_id, user_id } = statement
  if (purpose !== 'consent') return 'is no consent'
  if (workspace_id !== entry.workspace_id || user_id !== entry.user_id) return 'is of another person'
  const signed = Array.isArray(statement.plans) ? statement.plans : []
  const own = signed.find((one) => fieldsOf(one).tool_call_id === entry.write_id)
  if (!own || own.input_digest !== textIn(entry.body, 'digest')) return 'is of another plan'
  return own.plan === digestOf(plan) ? undefined : 'is of another plan than the one that stands beside it'
}

/** Checks the signatures of decisions: of the plan that was shown, by a key of the person who decided. */
export class ConsentVerifier {
  readonly #keys = new Map<string, Known>()
  /** How the plan of each write was asked last. */
  readonly #asked = new Map<string, { input: string, plan: string, isCut: boolean }>()
  /** How many signatures were checked. */
  count = 0

  /** @returns what is wrong with an entry's signature, or with its absence */
  check (entry: Entry): string[] {
    const { signed } = fieldsOf(entry.body)
    const ofOperation = entry.kind === 'direct' && signed ? this.#checkOperation(entry, signed) : []
    if (entry.operation === 'createPasskey') return [...ofOperation, ...this.#register(entry)]
    if (entry.kind === 'asked') this.#keepPlan(entry)
    if (entry.kind === 'direct') return ofOperation
    if (entry.kind !== 'decided' || entry.outcome !== 'approved') return []
    const name = `entry ${entry.seq}`
    const { consent, requirement } = fieldsOf(entry.body)
    if (consent === undefined || consent === null) {
      return fieldsOf(requirement).signed === true
        ? [`${name} is an approval without the signature that its policy asks for`]
        : []
    }
    this.count++
    const read = readConsent(consent)
    if (!read) return [`${name} has a signature of a passkey that cannot be read`]
    return this.#named(entry, [findOther(entry, read), ...this.#findInvalid(read), this.#findOtherPlan(entry, read),
      this.#findOtherKey(entry, read)])
  }

  /** A change of policies or people. */
  #checkOperation (entry: Entry, signed: unknown): string[] {
    this.count++
    const read = readConsent(signed)
    if (!read) return [`entry ${entry.seq} has a signature of a passkey that cannot be read`]
    const { purpose, workspace_id, user_id } = read.statement
    const isOwn = purpose === 'operation' && workspace_id === entry.workspace_id && user_id === entry.user_id
    return this.#named(entry, [isOwn ? undefined : 'is of another person', ...this.#findInvalid(read),
      this.#findOtherKey(entry, read)])
  }

  #named ({ seq }: Entry, found: readonly (string | undefined)[]): string[] {
    return found.filter((what) => what !== undefined)
      .map((what) => `entry ${seq}: the signature of the passkey ${what}`)
  }

  /** The ceremony and the signature itself. */
  #findInvalid (read: Read): (string | undefined)[] {
    const { statement, assertion, public_key, algorithm } = read
    const found = readAssertion(assertion)
    const mismatch = found && findMismatch(found, {
      challenge: challengeOf(statement), origin: String(statement.origin), rp_id: String(statement.rp_id)
    })
    const isValid = isSignedByKey(assertion, public_key, algorithm)
    return [found ? mismatch?.message : 'is no assertion', isValid ? undefined : 'is not valid']
  }

  /** The plan that was asked is the one that was signed, where it is in the export and was not edited. */
  #findOtherPlan ({ write_id, body }: Entry, { plan }: Read): string | undefined {
    const asked = this.#asked.get(write_id)
    if (!asked || asked.input !== textIn(body, 'digest')) return undefined
    // What was cut to fit is bound by its digest alone.
    const isSame = asked.isCut || isCut(plan) || asked.plan === digestOf(plan)
    return isSame ? undefined : 'is of another plan than was asked'
  }

  #findOtherKey ({ user_id }: Entry, { assertion, public_key }: Read): string | undefined {
    const known = this.#keys.get(assertion.credential_id)
    if (!known) {
      this.#keys.set(assertion.credential_id, { user_id, public_key, registered: false })
      return undefined
    }
    if (known.public_key !== public_key) return 'is of another key than the one that its person has registered'
    return known.user_id === user_id ? undefined : 'is of a key of another person'
  }

  #register (entry: Entry): string[] {
    const { passkey } = fieldsOf(entry.body)
    const [id, public_key] = [textIn(passkey, 'credential_id'), textIn(passkey, 'public_key')]
    if (!id || !public_key) return []
    const known = this.#keys.get(id)
    this.#keys.set(id, { user_id: entry.user_id, public_key, registered: true })
    const isOther = known && !known.registered && known.public_key !== public_key
    return isOther ? [`entry ${entry.seq}: the passkey had signed with another key before it was registered`] : []
  }

  #keepPlan ({ write_id, body }: Entry): void {
    const { plan } = fieldsOf(body)
    const input = textIn(plan, 'digest')
    if (input) this.#asked.set(write_id, { input, plan: digestOf(plan), isCut: isCut(plan) })
  }
}
