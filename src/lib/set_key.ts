/** Sets keys of an object that come from foreign text. */

/** Sets a key of a plain object to `value`; one that is named `__proto__` stays a key, too. */
export function setKey<Value>(object: { [key: string]: Value }, key: string, value: Value): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
