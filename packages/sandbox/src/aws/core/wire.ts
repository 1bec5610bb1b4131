/**
 * A type of the SDK on the wire: times are numbers, blobs are base64 text.
 * State and answers are typed with it, so a misspelt field does not compile.
 */
export type Wire<T> =
  T extends Date ? number :
    T extends Uint8Array ? string :
      T extends (infer Item)[] ? Wire<Item>[] :
        T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T

/** ECS and Application Auto Scaling send times as seconds with a fraction. */
export function seconds (milliseconds: number): number {
  return milliseconds / 1000
}
