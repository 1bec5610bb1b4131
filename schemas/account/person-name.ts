import { Type, type Static } from '@sinclair/typebox'
import { Id, PageQuery, page } from '../common.js'

export const PersonName = Type.Object({ id: Id, name: Type.String() }, { $id: 'PersonName' })
export type PersonName = Static<typeof PersonName>

export const PersonNamePage = page(PersonName, 'PersonNamePage')

/** How a choice finds one of many. */
export const NameQuery = Type.String({ minLength: 1, maxLength: 100, description: 'In the name, whatever the case' })
export const ListPeople = Type.Object({ ...PageQuery, q: Type.Optional(NameQuery) })
