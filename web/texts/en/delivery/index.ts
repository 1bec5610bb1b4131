import { apps } from './apps'
import { repositories } from './repositories'

export const delivery = { ...apps, ...repositories }
