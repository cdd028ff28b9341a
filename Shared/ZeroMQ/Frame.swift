/// The bytes of one frame.
package typealias Frame = [UInt8]
