import { baseUrl } from '../../../api/client'
import { Problem } from '../../../api/problem'
import { say } from '../../../texts/say'

/** What the page's policy asks for where an address becomes a script: only this one does. */
interface ScriptPolicy { createScriptURL: (url: string) => string }
interface PolicyFactory { createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy }

const toWorkerUrl = (): string => {
  const url = `${baseUrl}/push-worker.js`
  // Browsers without trusted types have no such property, and TypeScript does not know it.
  const { trustedTypes } = window as { trustedTypes?: PolicyFactory }
  return trustedTypes?.createPolicy('push-worker', { createScriptURL: () => url }).createScriptURL(url) ?? url
}

let workerUrl: string | undefined

/** Pages that are not by HTTPS, and some browsers, have no web push. */
export const canSubscribe = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))

const asProblem = (error: unknown): Problem =>
  new Problem('push_unavailable', 0, error instanceof Error ? error.message : say('channel.push.unavailable'))

const ask = async (): Promise<void> => {
  if (await Notification.requestPermission() === 'granted') return
  throw new Problem('push_refused', 0, say('channel.push.refused'))
}

/** @param key of the installation. @returns where this browser is reached, and the keys that encrypt for it */
export const subscribe = async (key: string): Promise<{ address: string, keys: { p256dh: string, auth: string } }> => {
  await ask()
  try {
    workerUrl ??= toWorkerUrl()
    await navigator.serviceWorker.register(workerUrl)
    const { pushManager } = await navigator.serviceWorker.ready
    // A subscription with another key, such as a former one of the installation, is of no use here.
    await (await pushManager.getSubscription())?.unsubscribe()
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: toBytes(key) })
    const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON()
    return { address: endpoint, keys: { p256dh, auth } }
  } catch (error) {
    throw asProblem(error)
  }
}
