#if canImport(Security)
internal import Foundation
internal import Security

/// The keychain: it survives a reinstallation of the app.
///
/// It can be read after the phone was unlocked once since its start. Until then `load` throws, and the client waits.
/// Items stay on this phone and in its encrypted backups, and are no part of iCloud's keychain.
public actor KeychainProofStore: ProofStore {
    /// Written before anything is read: a locked keychain refuses that, where it may list no items at all.
    private static let probe = "opened"
    private let service: String

    /// `service` names the items, such as the bundle id with a word behind it; never change it: they are lost then.
    public init(service: String) { self.service = service }

    /// All items but damaged ones; it throws while the keychain is closed, and never lists too few.
    public func load() throws -> [KeptRecord] {
        try write(Data(), as: Self.probe)
        var query = item(nil)
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(Self.dictionary(query), &found)
        if status == errSecItemNotFound { return [] }
        guard status == errSecSuccess else { throw ProofStoreFailure(call: "keychain", code: status) }
        return (found as? [[String: Any]] ?? []).compactMap { item in
            guard let data = item[kSecValueData as String] as? Data else { return nil }
            do { return try JSONDecoder().decode(KeptRecord.self, from: data) } catch { return nil }
        }
    }

    /// Returns when the keychain has it; where it throws, an older one with the same key is whole.
    public func keep(_ record: KeptRecord) throws { try write(JSONEncoder().encode(record), as: record.key) }

    private func write(_ data: Data, as key: String) throws {
        let query = item(key)
        let change: [String: Any] = [
            kSecValueData as String: data,
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
        ]
        func update() -> OSStatus { SecItemUpdate(Self.dictionary(query), Self.dictionary(change)) }
        var status = update()
        if status == errSecItemNotFound {
            status = SecItemAdd(Self.dictionary(query.merging(change) { $1 }), nil)
            // Another process of the app was quicker.
            if status == errSecDuplicateItem { status = update() }
        }
        guard status == errSecSuccess else { throw ProofStoreFailure(call: "keychain", code: status) }
    }

    /// Returns when it is gone; one that is not there is no error.
    public func forget(key: String) throws {
        let status = SecItemDelete(Self.dictionary(item(key)))
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw ProofStoreFailure(call: "keychain", code: status)
        }
    }

    private func item(_ key: String?) -> [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrSynchronizable as String: false, kSecUseDataProtectionKeychain as String: true,
        ]
        if let key { item[kSecAttrAccount as String] = key }
        return item
    }

    private static func dictionary(_ items: [String: Any]) -> CFDictionary {
        NSDictionary(dictionary: items) as CFDictionary
    }
}
#endif
