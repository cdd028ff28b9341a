import Foundation
import Testing

@testable import Delivery

@Suite struct FileLockTests {
    /// A folder that ends with the test.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

        deinit {
            do { try FileManager.default.removeItem(at: url) } catch { print("the folder stays: \(error)") }
        }

        var path: String { url.appending(path: "a.lock").path() }
    }

    private func isFree(_ path: String, shared: Bool = false) throws -> Bool {
        let probe = try FileLock.attempt(path: path, shared: shared)
        switch consume probe {
        case .some: return true
        case .none: return false
        }
    }

    @Test(arguments: [true, false])
    func `a lock knows that its file was removed or replaced`(_ isReplaced: Bool) throws {
        let folder = try Folder()
        let lock = try FileLock.attempt(path: folder.path)
        switch consume lock {
        case .none: Issue.record("nobody has it")
        case .some(let held):
            let before = held.isAtItsPath
            try FileManager.default.removeItem(atPath: folder.path)
            if isReplaced { #expect(FileManager.default.createFile(atPath: folder.path, contents: nil)) }
            let after = held.isAtItsPath
            #expect(before && !after)
            _ = consume held
        }
    }

    @Test(arguments: [false, true])
    func `an exclusive lock keeps everybody out until it ends, shared ones bear each other`(
        _ isShared: Bool
    ) throws {
        let folder = try Folder()
        let lock = try FileLock.attempt(path: folder.path, shared: isShared)
        switch consume lock {
        case .none: Issue.record("nobody has it")
        case .some(let held):
            #expect(try !isFree(folder.path))
            #expect(try isFree(folder.path, shared: true) == isShared)
            _ = consume held
        }
        #expect(try isFree(folder.path))
        #expect(FileManager.default.fileExists(atPath: folder.path), "the file is never unlinked")
    }

    @Test func `a file that was replaced is another lock`() throws {
        let folder = try Folder()
        let lock = try FileLock.attempt(path: folder.path)
        switch consume lock {
        case .none: Issue.record("nobody has it")
        case .some(let held):
            try FileManager.default.removeItem(atPath: folder.path)
            #expect(try isFree(folder.path), "the lock is on the file that stands at the path now")
            #expect(FileManager.default.fileExists(atPath: folder.path))
            _ = consume held
        }
    }

    @Test func `a lock that cannot be tried says where and why`() throws {
        let folder = try Folder()
        let path = folder.url.appending(path: "missing/a.lock").path()
        let fault = #expect(throws: FileLock.Fault.self) { try isFree(path) }
        #expect(fault?.code == ENOENT)
        #expect(fault?.description.hasPrefix(path) == true)
    }
}
