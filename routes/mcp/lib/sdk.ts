import type * as ServerSdk from '@modelcontextprotocol/server'

/** The protocol's SDK, as a value: it is loaded with the first message. */
export type Sdk = typeof ServerSdk
