import Contracts
import Foundation
import TestKit
import Testing

@testable import Delivery

@Suite(.timeLimit(.minutes(5))) struct `A copy that an owner is asked for` {
    private static let address = PartitionAddress(.orders, 0)
    private static let patience: Int64 = 120_000

    private let folder: HostFolder
    private let client: RequestClient
    private let host: PartitionHost
    private var store: String { folder.url.appending(path: "data/orders/0.sqlite").path() }

    init() throws {
        folder = try HostFolder()
        client = folder.client()
        host = try folder.host(NoteService<SendingRole>())
    }

    private func say(_ texts: [String]) async throws {
        let say = SayV1(to: .entitlements, texts: texts)
        _ = try await client.ask(say, of: Self.address, within: Self.patience)
    }

    private func copied(_ id: String) async throws -> StoreCopy {
        try await eventually("the copy is whole or has failed", within: .seconds(240)) {
            let copy = try await client.ask(StoreCopyV1(copyId: id), of: Self.address, within: Self.patience)
            return copy.state == .copying ? nil : copy
        }
    }

    /// The texts that the copy has still to send: nobody takes them.
    private func texts() throws -> Set<String> {
        let identity = PartitionIdentity(Self.address, of: 1)
        let copy = try OfflineStore(path: OfflineStore.copy(of: store), of: identity)
        let contents = try copy.verified()
        #expect(contents.epoch == 1 && contents.schemas["delivery"] == 1)
        #expect(contents.rows["partition_owner"] == 1)
        #expect(Set(contents.links.keys) == ["/entitlements/0"])
        let texts = try copy.texts("SELECT CAST(event AS TEXT) ->> '$.data.text' FROM outbox")
        try copy.close()
        return texts
    }

    @Test
    func
        `has everything that was committed before; the same question is the same copy, another one begins anew`()
        async throws
    {
        try await running([host]) {
            let many = (0..<2_000).map { "\($0)" }
            try await say(many)
            async let meanwhile: Void = say(["meanwhile"])
            let first = try await copied("a")
            try await meanwhile
            #expect(first.state == .done && first.finishedAt != nil && first.failure == nil)
            #expect(try texts().subtracting(["meanwhile"]) == Set(many))
            try await say(["later"])
            #expect(try await copied("a") == first)
            #expect(try !texts().contains("later"))
            #expect(try await copied("b").state == .done)
            #expect(try texts().contains("later"))
        }
    }

    @Test func `that cannot be written is told as failed, and the owner goes on`() async throws {
        try await running([host]) {
            try await say(["1"])
            let obstacle = OfflineStore.copy(of: store) + "/in the way"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
            let failed = try await copied("a")
            #expect(failed.state == .failed && failed.failure?.isEmpty == false && failed.finishedAt == nil)
            try await say(["2"])
            try FileManager.default.removeItem(atPath: OfflineStore.copy(of: store))
            #expect(try await copied("b").state == .done)
            #expect(try texts() == ["1", "2"])
        }
    }
}
