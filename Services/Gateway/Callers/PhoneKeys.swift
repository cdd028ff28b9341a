import Contracts
import Delivery
import FoundationEssentials
import Logging
import NIOConcurrencyHelpers
import Program

/// The keys of an app's phones: those of its configuration, and those of its JWKS file as it is now.
///
/// Whatever is wrong with a file that changes while this runs, the keys that were read before hold.
final class PhoneKeys: Sendable {
    /// How often the file is looked at, at most, ms.
    static let interval: Int64 = 1_000
    /// The largest file that is read.
    private static let maximumBytes = 256 << 10

    /// The keys by their `kid`, as they were once read.
    struct Ring: Sendable {
        /// Another one each time that the file changes.
        var version = 0
        var keys: [String: PhoneKey]
    }

    private struct State {
        var ring: Ring
        /// Of the file that was read.
        var stamp: FileStamp?
        /// Of the last file that could not be read; it is told of once.
        var unreadable: FileStamp??
        /// Milliseconds of uptime.
        var lookedAt: Int64
    }

    private let home: Home
    /// The member of the configuration that names the tokens.
    private let member: String
    private let own: [String: PhoneKey]
    private let jwks: String?
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// - Throws: `ConfigurationError` when a key cannot be used.
    init(
        _ tokens: Configuration.PhoneTokens,
        named member: String,
        in home: Home,
        logger: Logger
    ) async throws {
        self.home = home
        self.member = member
        self.logger = logger
        own = try await Self.keys(tokens.keys, named: member, in: home)
        jwks = tokens.jwks
        // Before the file: if it is replaced in between, it is read again.
        let stamp = tokens.jwks.flatMap { FileStamp(home.path($0)) }
        var ring = Ring(keys: own)
        if let jwks { ring.keys = try await Self.keys(in: jwks, named: member, of: home, beside: own) }
        let now = ClockReading.current().uptime
        state = NIOLockedValueBox(State(ring: ring, stamp: stamp, lookedAt: now))
    }

    /// The keys as they are now; the file is looked at once a second at most.
    func current(at uptime: Int64) async -> Ring {
        guard let jwks else { return state.withLockedValue { $0.ring } }
        let (ring, isDue, known) = state.withLockedValue { state in
            let isDue = abs(uptime - state.lookedAt) >= Self.interval
            if isDue { state.lookedAt = uptime }
            return (state.ring, isDue, state.stamp)
        }
        guard isDue else { return ring }
        let stamp = FileStamp(home.path(jwks))
        guard stamp != known else { return ring }
        do {
            let keys = try await Self.keys(in: jwks, named: member, of: home, beside: own)
            return change(to: keys, stamp)
        } catch {
            tell(error, of: stamp)
            return ring
        }
    }

    private func change(to keys: [String: PhoneKey], _ stamp: FileStamp?) -> Ring {
        let ring = state.withLockedValue { state in
            state.ring = Ring(version: state.ring.version + 1, keys: keys)
            state.stamp = stamp
            return state.ring
        }
        logger.info(
            "Keys of phones changed",
            metadata: .init([.count: "\(keys.count)", .file: "\(jwks ?? "")"])
        )
        return ring
    }

    private func tell(_ error: any Error, of stamp: FileStamp?) {
        let isNews = state.withLockedValue { state in
            defer { state.unreadable = .some(stamp) }
            return state.unreadable != .some(stamp)
        }
        guard isNews else { return }
        logger.error("Keys of phones cannot be read", metadata: .init([.error: "\(error)"]))
    }

    private static func keys(
        _ configured: [Configuration.PhoneTokenKey],
        named member: String,
        in home: Home
    ) async throws -> [String: PhoneKey] {
        var keys: [String: PhoneKey] = [:]
        for (index, key) in configured.enumerated() {
            do {
                keys[key.id] = try await PhoneKey(key)
            } catch {
                throw ConfigurationError(
                    file: home.configurationFile,
                    member: "\(member).keys[\(index)].publicKey",
                    problem:
                        "is no public key of \(key.algorithm.rawValue); write what `openssl pkey -pubout` prints"
                )
            }
        }
        return keys
    }

    private struct File: Decodable { let keys: [JSONWebKey] }

    private static func keys(
        in jwks: String,
        named member: String,
        of home: Home,
        beside own: [String: PhoneKey]
    ) async throws -> [String: PhoneKey] {
        let path = home.path(jwks)
        let bytes = try home.contents(ofFile: path, namedBy: "\(member).jwks")
        let fault = { ConfigurationError(file: path, member: $0, problem: $1) }
        guard bytes.count <= maximumBytes else {
            throw fault(nil, "is larger than \(maximumBytes) bytes; remove keys that are not used")
        }
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: bytes)
        } catch {
            throw fault(nil, "is no set of keys; write {\"keys\": […]} as RFC 7517 says")
        }
        var keys = own
        for (index, key) in file.keys.enumerated() {
            let place = "keys[\(index)]"
            let made: PhoneKey?
            do { made = try await PhoneKey(key) } catch {
                throw fault(place, "is no public key of its curve")
            }
            guard let made else { continue }
            guard let id = key.kid, !id.isEmpty else {
                throw fault("\(place).kid", "is missing; name the key")
            }
            guard keys.updateValue(made, forKey: id) == nil else {
                throw fault("\(place).kid", "names a second key \"\(id)\"; rename one")
            }
        }
        guard !keys.isEmpty else { throw fault("keys", "has no key of ES256 or EdDSA; add one") }
        return keys
    }
}
