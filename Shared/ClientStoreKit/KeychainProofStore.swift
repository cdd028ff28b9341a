#if canImport(Security)
internal import Foundation
internal import Security

/// The keychain: it survives a reinstallation of the app.
///
/// It can be read after the phone was unlocked once since its start. Until then `load` throws, and the client waits.
public actor KeychainProofStore: ProofStore {
    /// What the keychain refused: an `OSStatus`.
    public struct Failure: Error, Equatable, Sendable {
        /// The keychain's word.
        public let status: Int32
    }

    private let service: String

    /// `service` names the items, such as the app's bundle id with a word behind it.
    public init(service: String) {
        self.service = service
    }

    /// All items that can be read.
    public func load() throws -> [KeptRecord] {
        var query = item(nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(Self.dictionary(query), &found)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess else { throw Failure(status: status) }
        let items = found as? [[String: Any]] ?? []
        return items.compactMap { item in
            guard let data = item[kSecValueData as String] as? Data else { return nil }
            do { return try JSONDecoder().decode(KeptRecord.self, from: data) } catch { return nil }
        }
    }

    /// Returns when the keychain has it.
    public func keep(_ record: KeptRecord) throws {
        let data = try JSONEncoder().encode(record)
        let query = item(record.key)
        let change: [String: Any] = [kSecValueData as String: data]
        var status = SecItemUpdate(Self.dictionary(query), Self.dictionary(change))
        if status == errSecItemNotFound {
            let new = query.merging(change) { $1 }.merging([
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock
            ]) { $1 }
            status = SecItemAdd(Self.dictionary(new), nil)
        }
        guard status == errSecSuccess else { throw Failure(status: status) }
    }

    /// Returns when it is gone.
    public func forget(key: String) throws {
        let status = SecItemDelete(Self.dictionary(item(key)))
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Failure(status: status) }
    }

    private func item(_ key: String?) -> [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
        ]
        if let key { item[kSecAttrAccount as String] = key }
        return item
    }

    private static func dictionary(_ items: [String: Any]) -> CFDictionary {
        NSDictionary(dictionary: items) as CFDictionary
    }
}
#endif
