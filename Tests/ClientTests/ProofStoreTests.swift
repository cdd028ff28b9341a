import Foundation
import Testing

@testable import CounterfoilClient

/// What every store promises, and what a folder promises besides.
@Suite struct `A proof store` {
    /// The stores that can be made here; the keychain needs a device.
    enum Kind: CaseIterable { case memory, file }

    /// A folder that is gone after the test.
    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "proofs-\(UUID().uuidString)")
        defer { do { try FileManager.default.removeItem(at: folder) } catch {} }
        try await body(folder.path(percentEncoded: false))
    }

    private static func withStore(
        _ kind: Kind,
        _ body: (any ProofStore) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            switch kind {
            case .memory: try await body(MemoryProofStore())
            case .file: try await body(FileProofStore(folder: folder))
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `What was kept is loaded, what was forgotten is not`(kind: Kind) async throws {
        try await Self.withStore(kind) { store in
            let empty = try await store.load()
            #expect(empty.isEmpty)
            let records: [KeptRecord] = [.proof(.sample("1")), .proof(.sample("2")), .purchase(.sample)]
            for record in records { try await store.keep(record) }
            let all = try await store.load()
            #expect(all.map(\.key).sorted() == records.map(\.key).sorted())
            #expect(records.allSatisfy { all.contains($0) })
            try await store.forget(key: records[0].key)
            try await store.forget(key: records[0].key)
            let rest = try await store.load()
            #expect(rest.map(\.key).sorted() == records.dropFirst().map(\.key).sorted())
        }
    }

    @Test(arguments: Kind.allCases)
    func `A record takes the place of one with the same key`(kind: Kind) async throws {
        try await Self.withStore(kind) { store in
            try await store.keep(.proof(.sample(text: "older")))
            try await store.keep(.proof(.sample(text: "newer")))
            let all = try await store.load()
            #expect(all == [.proof(.sample(text: "newer"))])
        }
    }

    @Test func `Another process finds what the first one kept`() async throws {
        try await Self.withFolder { folder in
            try await FileProofStore(folder: folder).keep(.proof(.sample()))
            let found = try await FileProofStore(folder: folder).load()
            #expect(found == [.proof(.sample())])
        }
    }

    @Test func `A torn, a foreign and a half written file cost no other proof, and are left alone`()
        async throws
    {
        try await Self.withFolder { folder in
            let store = FileProofStore(folder: folder)
            for id in ["1", "2", "3"] { try await store.keep(.proof(.sample(id))) }
            let torn = "\(folder)/\(FileProofStore.name(of: "proof-2"))"
            let whole = try Data(contentsOf: URL(filePath: torn))
            try whole.prefix(whole.count / 2).write(to: URL(filePath: torn))
            try Data("not ours".utf8).write(to: URL(filePath: "\(folder)/foreign.json"))
            try Data("not ours".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
            try Data("{".utf8).write(to: URL(filePath: "\(folder)/.writing-1-1"))
            let found = try await FileProofStore(folder: folder).load()
            #expect(found == [.proof(.sample("1")), .proof(.sample("3"))])
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(Set(left).isSuperset(of: ["foreign.json", "notes.txt", "proof-2.json"]))
            #expect(!left.contains(".writing-1-1"))
        }
    }

    @Test func `A proof that cannot be opened now is not absent`() async throws {
        try await Self.withFolder { folder in
            let store = FileProofStore(folder: folder)
            try await store.keep(.proof(.sample("1")))
            // As a protected file of a phone that is locked: it is there, and no call opens it.
            let locked = "\(folder)/proof-2.json"
            try FileManager.default.createSymbolicLink(atPath: locked, withDestinationPath: locked)
            await #expect(throws: ProofStoreFailure.self) { try await store.load() }
            try FileManager.default.removeItem(atPath: locked)
            let found = try await store.load()
            #expect(found.count == 1)
        }
    }

    @Test func `A record under another one's name is passed over`() async throws {
        try await Self.withFolder { folder in
            let store = FileProofStore(folder: folder)
            try await store.keep(.proof(.sample("1")))
            try FileManager.default.copyItem(
                atPath: "\(folder)/proof-1.json",
                toPath: "\(folder)/proof-2.json"
            )
            let found = try await store.load()
            #expect(found == [.proof(.sample("1"))])
        }
    }

    @Test func `A folder that cannot be written to is an error, not a proof that is kept`() async throws {
        try await Self.withFolder { folder in
            try Data().write(to: URL(filePath: folder))
            await #expect(throws: (any Error).self) {
                try await FileProofStore(folder: folder).keep(.proof(.sample()))
            }
        }
    }

    @Test(arguments: ["../../elsewhere", "a/b", "", String(repeating: "x", count: 500), "ä\0"])
    func `Whatever an id says, its file lies in the folder`(id: String) async throws {
        try await Self.withFolder { folder in
            let store = FileProofStore(folder: folder)
            try await store.keep(.proof(.sample(id)))
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == [FileProofStore.name(of: KeptRecord.proofKey(id))])
            #expect(names.allSatisfy { $0.utf8.count < 256 })
            let found = try await store.load()
            #expect(found == [.proof(.sample(id))])
        }
    }

    @Test func `Long ids that begin alike do not meet`() {
        let long = String(repeating: "1", count: 300)
        #expect(FileProofStore.name(of: long + "a") != FileProofStore.name(of: long + "b"))
    }
}
