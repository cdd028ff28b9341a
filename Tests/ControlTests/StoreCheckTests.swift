import Contracts
import Foundation
import Testing

@testable import Delivery
@testable import Program

@Suite(.temporaryFolder) struct `the stores of a home` {
    /// A home with a store that says of itself which partition it is.
    private static func home(_ label: PartitionIdentity, at address: PartitionAddress) throws -> Home {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        try home.makeFolders()
        var header = Data(count: 100)
        for (offset, shift) in [24, 16, 8, 0].enumerated() {
            header[68 + offset] = UInt8(label.label >> UInt32(shift) & 0xFF)
        }
        try header.write(to: URL(filePath: home.store(of: address)))
        return home
    }

    private static let receipts1 = PartitionAddress(.receipts, 1)

    @Test func `another number of partitions is refused with what to do`() throws {
        let home = try Self.home(PartitionIdentity(Self.receipts1, of: 4), at: Self.receipts1)
        #expect(throws: Never.self) { try home.checkStores(partitions: 4) }
        for partitions in [8, 2, 1] {
            let error = try #require(throws: ConfigurationError.self) {
                try home.checkStores(partitions: partitions)
            }
            #expect(error.exitCode == 2)
            #expect(error.description.contains("partitions: is \(partitions)"))
            #expect(error.description.contains("set it back to 4"))
            #expect(error.description.contains(home.store(of: Self.receipts1)))
        }
    }

    @Test func `a store in the place of another one is refused`() throws {
        let home = try Self.home(
            PartitionIdentity(PartitionAddress(.orders, 1), of: 4),
            at: Self.receipts1
        )
        let error = try #require(throws: ConfigurationError.self) { try home.checkStores(partitions: 4) }
        #expect(error.description.contains("/orders/1"))
    }

    @Test func `a home that is half restored is refused, though its configuration can be read`() throws {
        let home = try Home.initialised()
        try Data().write(to: URL(filePath: home.restoreMark.path))
        let error = try #require(throws: ConfigurationError.self) { try Configuration(of: home) }
        #expect(error.exitCode == 2)
        #expect(error.description.contains("was interrupted; run `counterfoil restore` again"))
        #expect(throws: Never.self) { try Configuration(writtenIn: home) }
    }

    @Test(arguments: [nil, Data()])
    func `a store that was made and is gone, or empty, is refused; one that was never made is not`(
        _ content: Data?
    ) throws {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        try home.makeFolders()
        let place = home.store(of: Self.receipts1)
        try content?.write(to: URL(filePath: place))
        #expect(throws: Never.self) { try home.checkNoStoreIsMissing(partitions: 2) }
        for _ in 0..<2 { try home.storeRegister.add(Self.receipts1) }
        let error = try #require(throws: ConfigurationError.self) {
            try home.checkNoStoreIsMissing(partitions: 2)
        }
        #expect(error.exitCode == 2)
        #expect(error.description.hasPrefix(place + ": is missing, with all that it knew"))
        try Data([0]).write(to: URL(filePath: place))
        #expect(throws: Never.self) { try home.checkNoStoreIsMissing(partitions: 2) }
    }

    @Test func `a home without stores, and files that are none, are let pass`() throws {
        let home = Home(root: try TemporaryFolder.current() + "/home")
        #expect(throws: Never.self) { try home.checkStores(partitions: 4) }
        try home.makeFolders()
        try Data().write(to: URL(filePath: home.store(of: Self.receipts1)))
        try Data(count: 200).write(to: URL(filePath: home.store(of: PartitionAddress(.orders, 0))))
        #expect(throws: Never.self) { try home.checkStores(partitions: 4) }
    }
}
