import { Type, type Static } from '@sinclair/typebox'
import { Id, PageQuery, page } from '../common.js'

export const PersonName = Type.Object({ id: Id, name: Type.String() }, { $id: 'PersonName' })
export type PersonName = Static<typeof PersonName>

export const PersonNamePage = page(PersonName, 'PersonNamePage')
export const ListPeople = Type.Object(PageQuery)
