/// Where proofs and begun purchases survive the death of the process.
///
/// What `keep` has returned for is there after a crash at any later moment. Use one store from one process at a time.
public protocol ProofStore: Sendable {
    /// All records; a damaged one is left where it is, and costs no other. It throws while closed: the client waits.
    func load() async throws -> [KeptRecord]
    /// Makes a record durable, or throws; one with the same key is replaced, whole or not at all.
    func keep(_ record: KeptRecord) async throws
    /// Deletes a record, or throws; one that is not there is no error.
    func forget(key: String) async throws
}

/// What the system refused: a call such as `fsync`, and its `errno` or `OSStatus`.
public struct ProofStoreFailure: Error, Equatable, Sendable {
    let call: String
    let code: Int32
}
