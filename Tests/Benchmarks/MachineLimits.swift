import Crypto
import Foundation
import Glibc
import TestKit

/// What this machine can do at most, measured in the same run as what is compared with it.
enum MachineLimits {
    private static let signatures = 64

    /// P-256 signatures a second that the calling thread verifies, over messages of so many bytes.
    static func signaturesPerSecond(bytes: Int, seconds: Double) throws -> Double {
        let key = P256.Signing.PrivateKey()
        let signed = try (0..<signatures).map { number in
            let message = Data(repeating: UInt8(number), count: bytes)
            return (message, try key.signature(for: message))
        }
        let publicKey = key.publicKey
        return try VerificationRate(of: signed, seconds: seconds) {
            publicKey
        } verify: {
            guard $0.isValidSignature($1.1, for: $1.0) else { throw HarnessFault("a signature is not valid") }
        }.perSecond
    }

    /// Records of so many bytes a second that one thread appends to a file in a folder, so many for each fdatasync.
    static func durableAppendsPerSecond(
        bytes: Int,
        together: Int,
        seconds: Double,
        in folder: URL
    ) throws -> Double {
        let path = folder.appending(path: "appends").path()
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw HarnessFault("\(path) cannot be made") }
        defer {
            close(file)
            unlink(path)
        }
        let records = [UInt8](repeating: UInt8(ascii: "x"), count: bytes * together)
        let clock = ContinuousClock()
        let start = clock.now
        var appended = 0
        while clock.now - start < .seconds(seconds) {
            guard write(file, records, records.count) == records.count, fdatasync(file) == 0 else {
                throw HarnessFault("\(path) cannot be written")
            }
            appended += together
        }
        return Double(appended) / ((clock.now - start) / .seconds(1))
    }
}
