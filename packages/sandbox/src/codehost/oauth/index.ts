import { operation } from '../core/operation.js'
import { authorize } from './authorize.js'
import { exchange } from './exchange.js'

export const oauthOperations = [
  operation('authorize', 'GET', '/login/oauth/authorize', authorize, { auth: 'none' }),
  operation('exchangeToken', 'POST', '/login/oauth/access_token', exchange, { auth: 'none' })
]
