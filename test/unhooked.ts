import asyncHooks, { type HookCallbacks } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

/**
 * tap's domain follows every promise to the test that made it, a tenth of what the suite costs, and one file runs at a
 * time here: what nobody catches ends the process, and the runner names the file. Such a hook asks for `init` and
 * `destroy` and nothing else. To be imported before tap.
 */
const { createHook } = asyncHooks
const idle = { enable: () => idle, disable: () => idle }
const isDomain = (callbacks: HookCallbacks): boolean => Object.keys(callbacks).sort().join() === 'destroy,init'
asyncHooks.createHook = (callbacks) => isDomain(callbacks) ? idle : createHook(callbacks)
syncBuiltinESMExports()
