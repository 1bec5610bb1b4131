import { activeGeneration } from '../../schemas/pse/generations.js'
import { leasesOf } from '../leases.js'
import { generationColumns, type GenerationRow } from './generations.js'

export const generationLeases = leasesOf<GenerationRow>('pse_generation', generationColumns, activeGeneration)
