import Glibc
import SystemPackage

extension Descriptor {
    /// Opens a file for reading.
    static func reading(_ path: String) throws(SystemFault) -> Descriptor {
        try Descriptor(open(path, O_RDONLY | O_CLOEXEC), from: "open", path)
    }

    /// The next bytes, at most `count`; none at the end of the file.
    ///
    /// - Throws: `Errno`.
    func chunk(of count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            length = try FileDescriptor(rawValue: number).read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
