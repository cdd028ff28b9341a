import Foundation
import Glibc

/// What libFuzzer calls (llvm.org/docs/LibFuzzer.html); in the plain program nobody does.
enum LibFuzzer {
    /// Names the target, one of `FuzzTarget`.
    static let targetVariable = "COUNTERFOIL_FUZZ_TARGET"
    /// Names the folder of the signing chain.
    static let stateVariable = "COUNTERFOIL_FUZZ_STATE"

    static let target = value(of: targetVariable).flatMap(FuzzTarget.init(rawValue:))
    static let world = Result {
        FuzzWorld(signer: try Fuzzing.signer(value(of: stateVariable) ?? ""), roots: [])
    }

    private static func value(of variable: String) -> String? { getenv(variable).map { String(cString: $0) } }
}

/// Called once, with the arguments of the command line.
@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    do {
        _ = try LibFuzzer.world.get()
        guard LibFuzzer.target != nil else { throw NoTarget() }
        return 0
    } catch {
        FileHandle.standardError.write(Data("counterfoil-fuzz: \(error); run it by deploy/fuzz\n".utf8))
        exit(2)
    }
}

/// Called for each input.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = LibFuzzer.target, case .success(let world) = LibFuzzer.world else { return -1 }
    target.run(Array(UnsafeBufferPointer(start: start, count: count)), in: world)
    return 0
}

/// The environment names no target.
private struct NoTarget: Error {}
