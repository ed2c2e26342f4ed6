// Compositions as text: an outer component that gives an inner one a handle.
import { wat } from './wat.ts'

const HTTP = `(import "wasi:http/types@0.2.6" (instance $http
    (export "fields" (type (sub resource)))
    (export "incoming-request" (type (sub resource)))
    (export "response-outparam" (type (sub resource)))
    (export "[constructor]fields" (func (result (own 0))))))
  (alias export $http "fields" (type $fields))
  (alias export $http "incoming-request" (type $request))
  (alias export $http "response-outparam" (type $outparam))
  (alias export $http "[constructor]fields" (func $new-fields))`

/**
 * A composition: the outer component makes fields, and calls \`guess\` of the inner one with them.
 *
 * @param inner instructions of the inner component; it can drop fields, requests and outparams.
 * @param give how the inner component gets the fields.
 */
export const composed = (inner: string, give: 'own' | 'borrow') =>
  wat(`(component ${HTTP}
    (component $inner
      (import "fields" (type $fields (sub resource)))
      (import "request" (type $request (sub resource)))
      (core func $drop (canon resource.drop $fields))
      (core func $drop-request (canon resource.drop $request))
      (core instance $own (export "drop" (func $drop)) (export "drop-request" (func $drop-request)))
      (core module $m
        (import "own" "drop" (func $drop (param i32)))
        (import "own" "drop-request" (func $drop-request (param i32)))
        (func (export "guess") (param $given i32) ${inner}))
      (core instance $core (instantiate $m (with "own" (instance $own))))
      (func (export "guess") (param "a" (${give} $fields)) (canon lift (core func $core "guess"))))
    (instance $i (instantiate $inner (with "fields" (type $fields)) (with "request" (type $request))))
    (core func $make (canon lower (func $new-fields)))
    (core func $guess (canon lower (func $i "guess")))
    (core func $drop (canon resource.drop $fields))
    (core instance $own (export "make" (func $make)) (export "guess" (func $guess))
      (export "drop" (func $drop)))
    (core module $m
      (import "own" "make" (func $make (result i32)))
      (import "own" "guess" (func $guess (param i32)))
      (import "own" "drop" (func $drop (param i32)))
      (func (export "handle") (param $request i32) (param $out i32) (local $mine i32) (local $given i32)
        (local.set $mine (call $make))
        (local.set $given (call $make))
        (call $guess (local.get $given))
        ;; Still there, and its own.
        (call $drop (local.get $mine))))
    (core instance $core (instantiate $m (with "own" (instance $own))))
    (func $handle (param "a" (own $request)) (param "b" (own $outparam))
      (canon lift (core func $core "handle")))
    (instance $handler (export "handle" (func $handle)))
    (export "wasi:http/incoming-handler@0.2.6" (instance $handler)))`)
