// SPDX-License-Identifier: MIT
// What wend.d.ts and patrol.ts need of TypeScriptToLua's own declarations, for checks without them.
declare type LuaMultiReturn<T extends any[]> = T & { readonly __multi: never };
declare interface LuaIterable<T> extends Iterable<T> {}
declare interface LuaTable<K, V> {
  get(key: K): V;
}
declare function print(this: void, ...values: any[]): void;
